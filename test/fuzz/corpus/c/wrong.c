int f( { return x; }
struct undefined y; int a[-1];
void g(void) { int 1x = ; return 3 } else break;
typedef int t; t t t; int h(int) { case 1: goto nowhere; *3 = 4; "a" + "b"; }
