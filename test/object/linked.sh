#!/bin/sh
# What a linker goes by is compared: which relocation is in which field and leads to which symbol, of which kind symbols and
# sections are, in which order tables come, who defines a name. Each of these objects links, and most run otherwise.
set -eu
. "$ROOT/test/object/refused.inc"
compiled "$ROOT/test/object/linked.c"

# Relocations: field, opcode, symbol, addend
refused 'four bytes for a jump of one' "$(in_function jumps 's/jmp outside/.byte 0xeb\n9:\t.byte 0\n\t.reloc 9b, R_X86_64_PLT32, outside-1/');/\.size jumps/a \\\t.balign 16" 'bytes that are not zero'
refused 'a table entry without the prefix' "$(in_function address 's/leaq.*/.byte 0x48,0x8b,0x05\n9:\t.long 0\n\t.reloc 9b, R_X86_64_GOTPCRELX, shown-4/')" "function 'address', offset 0x0"
refused 'a prefix that a call does not have' "$(in_function calls 's/\tcall.*/\t.byte 0xff,0x15\n9:\t.long 0\n\t.reloc 9b, R_X86_64_REX_GOTPCRELX, outside-4/')" "function 'calls', offset 0x4"
refused 'a table entry by a section' "$(in_function get_second 's/leaq.*/.byte 0x48,0x8b,0x05\n9:\t.long 0\n\t.reloc 9b, R_X86_64_GOTPCREL, .data+8-4/')" "function 'get_second', offset 0x0"
refused 'a table entry for threads by a section' "$(in_function twin 's/movq other.*/.byte 0x48,0x8b,0x05\n9:\t.long 0\n\t.reloc 9b, R_X86_64_GOTTPOFF, .tdata+8-4/')" "function 'twin', offset 0x0"
refused 'a call through code' "$(in_function calls 's/call outside/call *outside(%rip)/')" "function 'calls', offset 0x4"
refused 'a relocation that reaches into the next instruction' "$(in_function calls 's/\tcall.*/\t.byte 0xe8\n9:\t.long 0\n\t.reloc 9b, R_X86_64_64, outside-4/')" 'bytes that are not zero'
refused 'a relocation that reaches into a datum' 's/^wanted:/\t.zero 4\n\t.reloc .-4, R_X86_64_64, outside\n&/' 'bytes that are not zero'
refused 'a relocation that linkers may not know' "$(in_function calls 's/\tcall.*/\t.byte 0xe8\n9:\t.long 0\n\t.reloc 9b, R_X86_64_TLSDESC, outside-4/')" 'a kind that is not known'
# Symbols
refused 'a local function that is indirect' '$a \\t.type indirect, @gnu_indirect_function\n\t.set indirect, helper
s/call helper/call indirect/' "function 'helped', offset"
refused 'an alias that is indirect' 's/\.type stands_for, @function/.type stands_for, @gnu_indirect_function/' "function 'stands_for': it is of another kind"
refused 'a name that is unique' '$a \\t.type counter, @gnu_unique_object' "datum 'counter'\|function 'counts'"
refused 'a name that adds a part of a library' '$a \\t.globl library_part' "symbol 'library_part': nothing refers to it"
refused 'a static that is wanted' '/^wanted:/{N;d};/wanted/d' "datum 'wanted': the object does not define it"
refused 'a static function that is wanted' '/^useful:/,/\.size useful/{/cfi/!d};/useful/d' "function 'useful': the object does not define it"
# Names that the program defines are no functions that gatecc knows
refused 'mcount of the program' "$(in_function counts 's/^counts:/&\n\tsubq $8, %rsp\n\tcall mcount/; s/\tret/\taddq $8, %rsp\n\tret/')" "function 'counts', offset"
refused 'a thunk of the program' "$(in_function by_pointer 's/call \* %r11/call __x86_indirect_thunk_r11/')" "function 'by_pointer', offset"
# Thunks of the object
thunk='__x86_return_thunk'
body="call 6f\n7:\tpause\n\tlfence\n\tjmp 7b\n6:\tleaq 8(%rsp), %rsp\n\tret\n\t.size $thunk, .-$thunk"
through=$(in_function address "s/\tret/\tjmp $thunk/")
for kind in 'data|.data|.globl' 'weak|.section .text.'$thunk',"axG",@progbits,'$thunk',comdat|.weak' \
    'alone|.text|.globl' 'of another group|.section .text.'$thunk',"axG",@progbits,shown,comdat|.globl'; do
    section=${kind#*|}
    refused "a thunk that is ${kind%%|*}" "$through;\$a \\\\t${section%|*}\n\t${kind##*|} $thunk\n\t.hidden $thunk\n\t.type $thunk, @function\n$thunk:\n\t$body" \
        "thunk\|function 'address'\|may leave out"
done
# Sections
refused 'code that another object may replace' 's/^\t\.globl calls$/\t.section .text.calls,"axG",@progbits,calls,comdat\n&/;/\.size calls/a \\t.text' 'the linker may leave out a section'
refused 'data that are locked' '/^\t\.globl kept/i \\t.section .data.rel.ro.kept,"awR",@progbits' "datum 'kept': it is in another section"
refused 'data with the name of other data' '/^\t\.globl kept/i \\t.section .tdata.kept,"awR",@progbits' "datum 'kept': it is"
refused 'data that are not retained' 's/\.data\.kept,"awR"/.data.kept,"aw"/' "datum 'kept': the linker may leave it out"
refused 'entries in another order' 's/^entry_one:/9:/;s/^entry_two:/entry_one:/;s/^9:/entry_two:/;/^entry/{n;s/first/9/;s/second/first/;s/9/second/}' "section 'entries', offset 0x8: data are in another order"
refused 'a gap between entries' 's/^entry_two:/\t.quad 0\n&/' "section 'entries', offset 0x8"
refused 'an entry behind the last' '/^entry_two:/{n;s/$/\n\t.quad 0/}' "section 'entries', offset 0x10"
refused 'entries that are aligned more' 's/\.section entries.*/&\n\t.balign 64/' "section 'entries' is aligned more than what is in it"
refused 'no room for what has no value' '/^\t\.bss/a \\t.zero 0x4000000000000000' "section '.bss', offset 0x0: 0x4"
refused 'data that nobody can align' '/^\t\.data/a \\t.p2align 30' "section '.data' is aligned more"
refused 'a stack that is executable' 's/\.note\.GNU-stack,""/.note.GNU-stack,"x"/' "section '.note.GNU-stack'"
refused 'nothing about the stack' '/\.note\.GNU-stack/d' 'make the stack executable'
refused 'a processor that is needed' '$a \\t.section .note.gnu.property,"a"\n\t.balign 8\n\t.long 4, 16, 5\n\t.asciz "GNU"\n\t.long 0xc0008002, 4, 8, 0' "section '.note.gnu.property': it is no note of gatecc's"
refused 'a note of another name' '$a \\t.section .note.ABI-tag,"a",@note\n\t.balign 4\n\t.long 4, 16, 1\n\t.asciz "GNU"\n\t.long 0, 99, 0, 0' "section '.note.ABI-tag'"
refused 'a warning of the linker' '$a \\t.section .gnu.warning.calls,"",@progbits\n\t.asciz "no"' "section '.gnu.warning.calls'"
# Constructors
refused 'a priority with more behind it' 's/init_array\.00200/init_array.200.400/' "section '.init_array.200.400'"
refused 'a priority that is too large' 's/init_array\.00200/init_array.4294967496/' "section '.init_array.4294967496'"
refused 'a priority with fewer digits' 's/init_array\.00200/init_array.200/' "section '.init_array.200'"
refused 'constructors in another order' 's/\.quad one/.quad 9/;s/\.quad two/.quad one/;s/\.quad 9/.quad two/' "section '.init_array': entry 0"
refused 'constructors that are aligned more' 's/\.section \.init_array,.*/&\n\t.balign 64/' "section '.init_array' is aligned more than what is in it"
refused 'a constructor that runs twice' 's/\.quad two/.quad one/' "section '.init_array': entry 1"
# Flags
refused 'flags of what was written since' "$(in_function same 's/testl %eax, %eax/xorl %eax, %eax/;/movzbl/d')" "function 'same', offset"
exit $failed
