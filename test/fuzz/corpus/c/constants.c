int a[10]; int *p = &a[3] + 1, *q = (int *)((char *)a + 4);
long diff = (char *)&((struct { int a; long b; } *)0)->b - (char *)0;
float f = 1.0f / 3; int i = (int)2.9 << 3 | 5 % 3, z = -1 > 0u;
_Bool b = (_Bool)&a; unsigned char c = 300; int g(void); int (*h)(void) = g;
struct { int n; char s[]; } flex = {3, "xyz"};
