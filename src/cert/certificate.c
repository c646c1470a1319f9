#include "cert/certificate.h"

uint64_t certificate_hash(const char *text, size_t length) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
    return hash;
}
