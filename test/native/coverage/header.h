static inline int in_header(int n)
{
    int s = 0;
    while (n--)
        s += n;
    return s;
}
static inline int not_called(int n)
{
    return n;
}
