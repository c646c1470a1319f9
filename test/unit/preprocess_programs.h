// Macro programs and the tokens they give, worked out by the standard's rules and confirmed with
// gcc 12.
#pragma once

static const struct {
    const char *name, *input, *expected;
} programs[] = {
    {"self reference",
     "#define f f 1\n"
     "#define g(x) g(x) x\n"
     "f g(g(2))",
     "f 1 g ( g ( 2 ) 2 ) g ( 2 ) 2"},
    {"mutual recursion",
     "#define a b 1\n"
     "#define b a 2\n"
     "a b",
     "a 2 1 b 1 2"},
    {"standard example 3",
     "#define x 3\n"
     "#define f(a) f(x * (a))\n"
     "#undef x\n"
     "#define x 2\n"
     "#define g f\n"
     "#define z z[0]\n"
     "#define h g(~\n"
     "#define m(a) a(w)\n"
     "#define w 0,1\n"
     "#define t(a) a\n"
     "#define p() int\n"
     "#define q(x) x\n"
     "#define r(x,y) x ## y\n"
     "#define str(x) # x\n"
     "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n"
     "g(x+(3,4)-w) | h 5) & m\n"
     "(f)^m(m);\n"
     "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n"
     "char c[2][6] = { str(hello), str() };",
     "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; f ( "
     "2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; "
     "int i [ ] = { 1 , 23 , 4 , 5 , } ; char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;"},
    {"standard example 4",
     "#define str(s) # s\n"
     "#define xstr(s) str(s)\n"
     "#define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", x ## s, x ## t)\n"
     "#define INCFILE(n) vers ## n\n"
     "#define glue(a, b) a ## b\n"
     "#define xglue(a, b) glue(a, b)\n"
     "#define HIGHLOW \"hello\"\n"
     "#define LOW LOW \", world\"\n"
     "debug(1, 2);\n"
     "fputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') == 0) str(: @\\n), s);\n"
     "xstr(INCFILE(2).h)\n"
     "glue(HIGH, LOW);\n"
     "xglue(HIGH, LOW)",
     "printf ( \"x\" \"1\" \"= %d, x\" \"2\" \"= %s\" , x1 , x2 ) ; fputs ( "
     "\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\" , s ) ; \"vers2.h\" "
     "\"hello\" ; \"hello\" \", world\""},
    {"standard example 5",
     "#define t(x,y,z) x ## y ## z\n"
     "int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
     "int j [ ] = { 123 , 45 , 67 , 89 , 10 , 11 , 12 , } ;"},
    {"standard example 7",
     "#define debug(...) fprintf(stderr, __VA_ARGS__)\n"
     "#define showlist(...) puts(#__VA_ARGS__)\n"
     "#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))\n"
     "debug(\"Flag\");\n"
     "debug(\"X = %d\\n\", x);\n"
     "showlist(The first, second, and third items.);\n"
     "report(x>y, \"x is %d but y is %d\", x, y);",
     "fprintf ( stderr , \"Flag\" ) ; fprintf ( stderr , \"X = %d\\n\" , x ) ; puts ( \"The first, "
     "second, and third items.\" ) ; ( ( x > y ) ? puts ( \"x>y\" ) : printf ( \"x is %d but y is "
     "%d\" , x , y ) ) ;"},
    {"hash hash made by a macro",
     "#define hash_hash # ## #\n"
     "#define mkstr(a) # a\n"
     "#define in_between(a) mkstr(a)\n"
     "#define join(c, d) in_between(c hash_hash d)\n"
     "join(x, y)",
     "\"x ## y\""},
    {"call that runs past its macro",
     "#define f(a) a*g\n"
     "#define g(a) f(a)\n"
     "f(2)(9)",
     "2 * 9 * g"},
    {"call across several ends",
     "#define f(x) x f\n"
     "f(1)(2)(3)",
     "1 f ( 2 ) ( 3 )"},
    {"trailing name takes parenthesis from the file",
     "#define NAME id\n"
     "#define id(x) <x>\n"
     "NAME (1) NAME NAME\n"
     "(2)",
     "< 1 > id < 2 >"},
    {"function-like name without call",
     "#define f(x) x\n"
     "f f; (f) f\n"
     ";",
     "f f ; ( f ) f ;"},
    {"deferred call",
     "#define EMPTY\n"
     "#define DEFER(x) x EMPTY\n"
     "#define A() 123\n"
     "DEFER(A)() ; DEFER(A)() A()\n"
     "#define EXPAND(x) x\n"
     "EXPAND(DEFER(A)())",
     "A ( ) ; A ( ) 123 123"},
    {"blue paint survives arguments",
     "#define id(x) x\n"
     "#define foo foo bar\n"
     "id(foo) id(id(foo))",
     "foo bar foo bar"},
    {"name disabled in argument",
     "#define f(x) x g(x)\n"
     "#define g(x) f(x) h\n"
     "f(1) g(f(2))",
     "1 f ( 1 ) h 2 f ( 2 ) h g ( 2 f ( 2 ) h ) h"},
    {"empty arguments",
     "#define two(a,b) [a|b]\n"
     "#define one(a) [a]\n"
     "#define none() []\n"
     "two(,) two(1,) two(,2) one() one( ) none() none( )",
     "[ | ] [ 1 | ] [ | 2 ] [ ] [ ] [ ] [ ]"},
    {"arguments with parentheses and commas",
     "#define two(a,b) [a|b]\n"
     "two((1,2),(3,(4,5))) two(f(1,2),\"a,b\") ;",
     "[ ( 1 , 2 ) | ( 3 , ( 4 , 5 ) ) ] [ f ( 1 , 2 ) | \"a,b\" ] ;"},
    {"arguments over lines",
     "#define two(a,b) [a|b]\n"
     "two(1\n"
     ",\n"
     "2\n"
     ")\n"
     "two\n"
     "\n"
     "(3,4)",
     "[ 1 | 2 ] [ 3 | 4 ]"},
    {"stringizing white space",
     "#define s(x) #x\n"
     "s(  a   b  ) s(a/*c*/b) s(a\n"
     "  b) s() s( ) s(\"a b\") s('\"') s(\"\\n\") s('\\0') s(\\n) s(\"\\\"\") s(L\"x\\\\\") "
     "s(a\"b\"c)",
     "\"a b\" \"a b\" \"a b\" \"\" \"\" \"\\\"a b\\\"\" \"'\\\"'\" \"\\\"\\\\n\\\"\" \"'\\\\0'\" "
     "\"\\n\" \"\\\"\\\\\\\"\\\"\" \"L\\\"x\\\\\\\\\\\"\" \"a\\\"b\\\"c\""},
    {"stringizing after expansion",
     "#define s(x) #x\n"
     "#define xs(x) s(x)\n"
     "#define e\n"
     "#define p +\n"
     "#define q(x) x\n"
     "xs(a e b) xs(-e-) xs(p p) xs(+p) xs(q(a)q(b)) xs(q( a )q( b )) xs(e a) xs(a e)",
     "\"a b\" \"--\" \"+ +\" \"++\" \"ab\" \"ab\" \"a\" \"a\""},
    {"stringizing variable arguments",
     "#define s(...) #__VA_ARGS__\n"
     "s() s(a,b) s( a , b ) s(a,,b) s(,)",
     "\"\" \"a,b\" \"a , b\" \"a,,b\" \",\""},
    {"pasting numbers and names",
     "#define c(a,b) a##b\n"
     "c(1,e) c(1e,3) c(x,1) c(.,5) c(1,.) c(L,\"x\") c(u8,\"y\") c(L,'c') c(0x,ff)",
     "1e 1e3 x1 .5 1. L\"x\" u8\"y\" L'c' 0xff"},
    {"pasting punctuators",
     "#define c(a,b) a##b\n"
     "c(+,+) c(<,<) c(<<,=) c(-,>) c(|,|) c(%,:) c(:,>) c(#,#) c(&,=) c(!,=)",
     "++ << <<= -> || %: :> ## &= !="},
    {"pasting makes a macro name",
     "#define c(a,b) a##b\n"
     "#define xy 42\n"
     "#define f(x) <x>\n"
     "c(x,y) c(f,)(1) c(,f)(2)",
     "42 < 1 > < 2 >"},
    {"pasting makes a painted name",
     "#define c(a,b) a##b\n"
     "#define ab c(a,b) ab\n"
     "c(a,b)",
     "c ( a , b ) ab"},
    {"pasted operands are not expanded",
     "#define c(a,b) a##b\n"
     "#define x 1\n"
     "#define y 2\n"
     "#define xc(a,b) c(a,b)\n"
     "c(x,y) xc(x,y) c(x,) c(,y)",
     "xy 12 1 2"},
    {"chain of pastes",
     "#define c(a,b,d) a##b##d\n"
     "#define h a ## b ## c ## d\n"
     "c(1,2,3) c(,,) c(a,,b) h",
     "123 ab abcd"},
    {"paste in object-like macro",
     "#define x 1 ## 2\n"
     "#define y a ## x\n"
     "x y",
     "12 ax"},
    {"paste with several tokens in an argument",
     "#define c(a,b) a##b\n"
     "c(1 2,3 4)",
     "1 23 4"},
    {"__VA_ARGS__ with comma swallowing",
     "#define e(f,...) p(f, ## __VA_ARGS__)\n"
     "#define g(...) p(0, ## __VA_ARGS__)\n"
     "e(1) e(1,) e(1,2) e(1,2,3) g() g(1) g(,)",
     "p ( 1 ) p ( 1 , ) p ( 1 , 2 ) p ( 1 , 2 , 3 ) p ( 0 ) p ( 0 , 1 ) p ( 0 , , )"},
    {"named variable arguments",
     "#define e(f,args...) p(f, ## args)\n"
     "#define g(args...) p(args)\n"
     "e(1) e(1,2,3) g() g(1,2)",
     "p ( 1 ) p ( 1 , 2 , 3 ) p ( ) p ( 1 , 2 )"},
    {"__VA_OPT__",
     "#define f(x,...) f(x __VA_OPT__(,) __VA_ARGS__)\n"
     "#define g(...) __VA_OPT__(a ## b) end\n"
     "#define E\n"
     "f(1) f(1,) f(1,2) f(1,E) g() g(1) g(E)",
     "f ( 1 ) f ( 1 ) f ( 1 , 2 ) f ( 1 ) end ab end end"},
    {"__VA_OPT__ and pasting",
     "#define f(a,...) a ## __VA_OPT__(b) ## c\n"
     "#define g(a,...) x ## __VA_OPT__(a a) ## y\n"
     "f(1) f(1,2) f(,2) g(,1) g(2,1) g(2)",
     "1c 1bc bc x y x2 2y xy"},
    {"__VA_OPT__ stringized",
     "#define f(a,...) #__VA_OPT__(a  __VA_ARGS__ b)\n"
     "f(1) f(1,2) f(,2 , 3)",
     "\"\" \"1 2 b\" \"2 , 3 b\""},
    {"__VA_OPT__ with parentheses",
     "#define f(...) __VA_OPT__((a)(b)) z\n"
     "f() f(1)",
     "z ( a ) ( b ) z"},
    {"variable arguments passed on",
     "#define f(...) g(__VA_ARGS__)\n"
     "#define g(a,...) [a][__VA_ARGS__]\n"
     "f(1,2,3) f() f((1,2),3)",
     "[ 1 ] [ 2 , 3 ] [ ] [ ] [ ( 1 , 2 ) ] [ 3 ]"},
    {"counting arguments",
     "#define N(...) N_(__VA_ARGS__,5,4,3,2,1,0)\n"
     "#define N_(a,b,c,d,e,n,...) n\n"
     "N(a) N(a,b) N(a,b,c,d,e)",
     "1 2 5"},
    {"#if arithmetic",
     "#if 1+2*3 == 7 && (1<<4|1) == 17 && 7%4 == 3 && -7/2 == -3 && -7%2 == -1\n"
     "yes\n"
     "#else\n"
     "no\n"
     "#endif",
     "yes"},
    {"#if unsigned and signed",
     "#if -1 > 0u && -1 < 0 && 0xffffffffffffffff > 0 && (0x8000000000000000 > 0) && -1 >> 1 == -1 "
     "&& -1u >> 63 == 1\n"
     "yes\n"
     "#else\n"
     "no\n"
     "#endif\n"
     "#if (1 ? -1 : 0u) > 0\n"
     "unsigned\n"
     "#endif",
     "yes unsigned"},
    {"#if short circuit",
     "#if 0 && 1/0\n"
     "no\n"
     "#elif 1 || 1/0\n"
     "yes\n"
     "#endif\n"
     "#if 1 ? 2 : 1/0\n"
     "yes\n"
     "#endif\n"
     "#if 0 ? 1/0 : 3\n"
     "yes\n"
     "#endif\n"
     "#if 0 && (1 ? 1/0 : 2)\n"
     "#else\n"
     "yes\n"
     "#endif",
     "yes yes yes yes"},
    {"#if conditional nesting",
     "#if 1 ? 0 ? 1 : 2 : 3\n"
     "yes\n"
     "#endif\n"
     "#if 0 ? 1 : 0 ? 2 : 0\n"
     "no\n"
     "#else\n"
     "yes\n"
     "#endif\n"
     "#if (0 ? 1 : 2) == 2 && (1 ? 2 : 3) == 2\n"
     "yes\n"
     "#endif",
     "yes yes yes"},
    {"#if overflow",
     "#if 0x7fffffffffffffff + 1 < 0\n"
     "wraps\n"
     "#endif\n"
     "#if 9223372036854775807 * 2 == -2\n"
     "wraps\n"
     "#endif",
     "wraps wraps"},
    {"#if characters",
     "#if 'a' == 97 && '\\n' == 10 && '\\377' < 0 && '\\x41' == 65 && L'\\xff' == 255 && 'ab' == "
     "24930 && '\\\\' == 92\n"
     "yes\n"
     "#else\n"
     "no\n"
     "#endif",
     "yes"},
    {"#if numbers",
     "#if 0b101 == 5 && 010 == 8 && 0x10uLL == 16 && 1l == 1LL && 5U == 5\n"
     "yes\n"
     "#else\n"
     "no\n"
     "#endif",
     "yes"},
    {"#if defined",
     "#define A\n"
     "#define B() 1\n"
     "#if defined A && defined(B) && !defined C && !defined(C)\n"
     "yes\n"
     "#endif\n"
     "#define D defined(A) && defined B\n"
     "#if D\n"
     "yes\n"
     "#endif\n"
     "#if defined __LINE__ && defined __has_include\n"
     "yes\n"
     "#endif",
     "yes yes yes"},
    {"#if names are zero",
     "#if foo == 0 && !bar && true == 0\n"
     "yes\n"
     "#endif\n"
     "#if int\n"
     "no\n"
     "#else\n"
     "yes\n"
     "#endif",
     "yes yes"},
    {"#if with macros",
     "#define V(a,b) ((a)*100+(b))\n"
     "#define M 3\n"
     "#if V(2,5) >= V(2,M) && M\n"
     "yes\n"
     "#endif\n"
     "#if V (1,\\\n"
     "2) == 102\n"
     "yes\n"
     "#endif",
     "yes yes"},
    {"#elif chain",
     "#define X 2\n"
     "#if X==1\n"
     "1\n"
     "#elif X==2\n"
     "2\n"
     "#elif 1/0\n"
     "3\n"
     "#else\n"
     "4\n"
     "#endif",
     "2"},
    {"nested skipped groups",
     "#if 0\n"
     "#if 1\n"
     "no\n"
     "#else\n"
     "no\n"
     "#endif\n"
     "#elif 0\n"
     "#foo bar\n"
     "#else\n"
     "yes\n"
     "#endif",
     "yes"},
    {"skipped text may be anything",
     "#if 0\n"
     "it's \"not C\n"
     "#if\n"
     "#endif\n"
     "/* #else */\n"
     "'/*'\n"
     "#else\n"
     "yes\n"
     "#endif",
     "yes"},
    {"#ifdef and #ifndef",
     "#define A\n"
     "#ifdef A\n"
     "1\n"
     "#else\n"
     "2\n"
     "#endif\n"
     "#ifndef A\n"
     "3\n"
     "#else\n"
     "4\n"
     "#endif\n"
     "#undef A\n"
     "#ifdef A\n"
     "5\n"
     "#endif\n"
     "#undef A\n"
     "A",
     "1 4 A"},
    {"null and spaced directives",
     "#\n"
     " # \n"
     "  #  define  X  1 \n"
     "#/**/define/**/Y/**/2\n"
     "/**/ # define Z 3\n"
     "X Y Z",
     "1 2 3"},
    {"comment ends nothing",
     "#define A 1 /* over\n"
     " lines */ 2\n"
     "A /* x */ + // rest\n"
     "B /**/C",
     "1 2 + B C"},
    {"line splices",
     "#def\\\n"
     "ine AB\\\n"
     "C 1\\\n"
     "2\n"
     "ABC a\\\n"
     "b \"x\\\n"
     "y\" +\\\n"
     "+ /\\\n"
     "/ gone\n"
     "z /\\\n"
     "* gone *\\\n"
     "/ w",
     "12 ab \"xy\" ++ z w"},
    {"splice with blanks",
     "a\\  \n"
     "b",
     "ab"},
    {"digraphs",
     "%:define x(a) %:a <: %:%: :>\n"
     "%: define y(a,b) a%:%:b\n"
     "y(1,2) <% %> <::> a<:1:>",
     "12 <% %> <: :> a <: 1 :>"},
    {"no trigraphs in GNU mode", "a?\?=b \"?\?/\"", "a ? ? = b \"?\?/\""},
    {"__LINE__",
     "__LINE__\n"
     "__LINE__ \\\n"
     "__LINE__\n"
     "#define L __LINE__\n"
     "#define id(x) x\n"
     "L id(\n"
     "L\n"
     ") id(__LINE__\n"
     ")\n"
     "#line 100\n"
     "__LINE__\n"
     "#line 7 \"foo.c\"\n"
     "__LINE__ __FILE__",
     "1 2 3 6 7 8 100 7 \"foo.c\""},
    {"# number",
     "# 42 \"bar.c\" 1 3\n"
     "__LINE__ __FILE__",
     "42 \"bar.c\""},
    {"__COUNTER__",
     "#define C __COUNTER__\n"
     "#define p(a,b) a##b\n"
     "#define xp(a,b) p(a,b)\n"
     "__COUNTER__ C xp(v,__COUNTER__) xp(v,C)",
     "0 1 v2 v3"},
    {"_Pragma vanishes where it is ours",
     "#define M 1\n"
     "_Pragma(\"push_macro(\\\"M\\\")\")\n"
     "#undef M\n"
     "#define M 2\n"
     "M _Pragma(\"pop_macro(\\\"M\\\")\") M",
     "2 1"},
    {"push_macro",
     "#define M 1\n"
     "#pragma push_macro(\"M\")\n"
     "#undef M\n"
     "#pragma push_macro(\"M\")\n"
     "#define M 2\n"
     "M\n"
     "#pragma pop_macro(\"M\")\n"
     "M\n"
     "#pragma pop_macro(\"M\")\n"
     "M",
     "2 M 1"},
    {"directive in arguments",
     "#define f(x) [x]\n"
     "f(1\n"
     "#define A 2\n"
     "A\n"
     "#undef A\n"
     "A)",
     "[ 1 A A ]"},
    {"conditional in arguments",
     "#define f(x) [x]\n"
     "f(1\n"
     "#if 0\n"
     "2\n"
     "#else\n"
     "3\n"
     "#endif\n"
     "4)",
     "[ 1 3 4 ]"},
    {"redefinition in an argument",
     "#define f(x) [x]\n"
     "f(\n"
     "#undef f\n"
     "#define f(x) {x}\n"
     "f(1)) f(2)",
     "[ { 1 } ] { 2 }"},
    {"universal character names",
     "#define \\u00c1x 1\n"
     "\xc3"
     "\x81"
     "x \\u00c1x",
     "1 1"},
    {"dollar",
     "#define $a 1\n"
     "$a b$c",
     "1 b$c"},
    {"numbers with odd parts", "1.2.3e+4p-5x 0x1e+1 .1..2 1_000 1.e-x",
     "1.2.3e+4p-5x 0x1e+1 .1..2 1_000 1.e-x"},
    {"strings next to names", "L\"a\" u8\"b\" U'c' u\"d\" LL\"e\" u8 \"f\" x\"g\"",
     "L\"a\" u8\"b\" U'c' u\"d\" LL \"e\" u8 \"f\" x \"g\""},
    {"maximal munch", "a+++++b x--->y <<=>>=...:::%=&&& ..",
     "a ++ ++ + b x -- -> y <<= >>= ... : : : %= && & . ."},
    {"unbalanced in object-like macro",
     "#define open (\n"
     "#define close )\n"
     "#define f(x) <x>\n"
     "f open 1 close f(open close)",
     "f ( 1 ) < ( ) >"},
    {"argument that is a macro call",
     "#define f(x) g(x)\n"
     "#define g(x,y) x|y\n"
     "#define c 1,2\n"
     "f(c)",
     "1 | 2"},
    {"nested calls of one macro",
     "#define f(x) (x+x)\n"
     "f(f(f(1)))",
     "( ( ( 1 + 1 ) + ( 1 + 1 ) ) + ( ( 1 + 1 ) + ( 1 + 1 ) ) )"},
    {"parameter named as macro",
     "#define x 7\n"
     "#define f(x) x x\n"
     "f(1) x",
     "1 1 7"},
    {"keyword as macro",
     "#define if while\n"
     "#define for(x) if(x)\n"
     "if for(1)",
     "while while ( 1 )"},
    {"hash in object-like macro",
     "#define h #x\n"
     "#define s(x) #x\n"
     "a h",
     "a # x"},
    {"concatenation with placemarker and macro",
     "#define AB x\n"
     "#define c(a,b) [a ## b]\n"
     "#define d c(A,B) c(,AB) c(AB,) c(,)\n"
     "d",
     "[ x ] [ x ] [ x ] [ ]"},
    {"object-like macro that is a function-like name",
     "#define f(x) <x>\n"
     "#define g f\n"
     "#define h g\n"
     "h(1) g (2) h\n"
     "(3)",
     "< 1 > < 2 > < 3 >"},
    {"obstruct and repeat",
     "#define EMPTY()\n"
     "#define DEFER(id) id EMPTY()\n"
     "#define OBSTRUCT(...) __VA_ARGS__ DEFER(EMPTY)()\n"
     "#define EVAL(...) EVAL1(EVAL1(__VA_ARGS__))\n"
     "#define EVAL1(...) __VA_ARGS__\n"
     "#define R_() R\n"
     "#define R(n) n OBSTRUCT(R_)()(n)\n"
     "EVAL(R(1))",
     "1 1 R_ ( ) ( 1 )"},
    {"list of fields",
     "#define FIELDS(X) X(int,a) X(char,b)\n"
     "#define D(t,n) t n;\n"
     "#define N(t,n) #n,\n"
     "struct { FIELDS(D) }; FIELDS(N)",
     "struct { int a ; char b ; } ; \"a\" , \"b\" ,"},
};
