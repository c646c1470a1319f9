#define CAT(a, b) a##b
#define STR(x) #x
#define CALL(f, ...) f(__VA_ARGS__ __VA_OPT__(, ) 0)
#define LOG(s, ...) p(s, ##__VA_ARGS__)
#if defined(CAT) && (1 ? 2 : 0) > -1 || !__has_include("x.h")
int CAT(x, 1) = __LINE__ + __COUNTER__;
#elif 0
#error no
#else
#endif
#line 40 "y.c"
#pragma pack(push, 1)
struct q { char c; int i; };
#pragma pack(pop)
int p(const char *, ...);
int k(void) { LOG("a"); LOG("b", 1, 2); return CALL(p, STR(a "b" c)); }
