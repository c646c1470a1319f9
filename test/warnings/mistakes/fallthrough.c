// A break is missing.
int price(int kind) {
    int result = 0;
    switch (kind) {
    case 1:
        result = 10; // mistake
    case 2:
        result = 20;
        break;
    default: break;
    }
    return result;
}
