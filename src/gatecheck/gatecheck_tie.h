// What ties certificates to a file of machine code, and which functions of it they cover.
//
// A certificate is tied to an object if the object's note has its digests and, where the
// certificate was made together with an object and the file is such an object, if the bytes of the
// file have the digest that the certificate tells. While it was replayed, code and data of such an
// object were compared with it (object.h). In a linked program, a library or what "ld -r" makes,
// bytes have moved: there the note is all there is to see.
//
// A function of the file is covered if certificates that are tied to it have code for its name, and
// for as many of that name as the file has: two objects may have static functions of one name, and
// if one of them has no certificate, neither is covered.
#pragma once

#include "gatecheck/gatecheck_account.h"

// Ties valid certificates to a file. NULL, or what is wrong.
const char *target_tie(CodeFile *target, const Account *accounts, uint32_t count);
