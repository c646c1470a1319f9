// x: when '!c'
int bad(int c) { int x; if (c) x = 1; return x; }
int good(int c) { int x; if (c) x = 1; else x = 2; return x; }
