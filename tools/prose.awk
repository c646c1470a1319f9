# The program of tools/prose: see there for what it refuses. Reads the list of phrases, then files.
#
# Each file becomes units: paragraphs, list items, table cells, headings, comments. Each unit becomes sentences,
# and each sentence words. A word keeps the punctuation behind it, since "one." is vague and "one file" is not.

BEGIN {
    PAGE = 0.35; HEAD = 0.4; LONG = 30; LONGEST = 45; LONG_SHARE = 0.1
    fill(always, "it its they them what whatever whichever who whom whoever ones")
    # Behind "one", "which", "this", "these", "those": words that no noun phrase starts with, so that the word stands alone.
    fill(follows, "is are was were be been has have had can could may might must shall should will would do does did " \
        "that which who whose whom of in on at to for from by with without as than and or but nor if when where while " \
        "because since so then there here not also only too both need needs get gets give gives go goes make makes mean means " \
        "say says see sees hold holds take takes take come comes stand stands show shows tell tells use uses want wants " \
        "know knows find finds ask asks keep keeps become becomes after before between over under above below")
    # In front of "that": words behind which "that" stands for a thing and joins no clause.
    fill(precedes, "of in on at to for from by with without as than and or but if like about after before until all " \
        "besides behind above below over under")
    fill(prepositions, "of in on at to for from by with without through behind along between under over")
    fill(verbs, "is was has can may must will would does did holds means makes says goes comes takes needs of")
}

function fill(set, list,    n, i, parts) {
    n = split(list, parts, " ")
    for (i = 1; i <= n; i++)
        set[parts[i]] = 1
}

# --- files ---

FNR == 1 {
    file_number++
    if (file_number > 1) {
        finish()
        start()
    }
}

file_number == 1 {
    if ($0 !~ /^#/ && $0 != "") {
        split($0, sides, " +-> ")
        phrase[++phrases] = " " tolower(sides[1]) " "
        advice[phrases] = sides[2]
    }
    next
}

function start() {
    file = FILENAME
    kind = file ~ /\.md$/ ? "page" : file ~ /\.[1-8]$/ ? "manual" : "code"
    text = ""; text_line = 0
    sentences = words = vague = long = 0
    fenced = quoted = tag_next = skipped = 0
}

kind == "page" { page($0); next }
kind == "manual" { manual($0); next }
{ code($0) }

END {
    finish()
    exit refused > 0
}

function page(line,    cells, n, i) {
    if (line ~ /^[ >]*(```|~~~)/) {
        flush()
        fenced = !fenced
        return
    }
    if (fenced)
        return
    gsub(/<!--[^>]*-->/, "", line)
    if (line ~ /^>/) {      # a quotation
        flush()
        return
    }
    sub(/^ +/, "", line)
    if (line == "" || line ~ /^(---|===)/) {
        flush()
    } else if (line ~ /^#+ /) {
        flush()
        sub(/^#+ /, "", line)
        add(line)
        flush()
    } else if (line ~ /^\|/) {
        flush()
        if (line ~ /^[-|: ]+$/)
            return
        gsub(/\\\|/, "/", line)
        n = split(line, cells, "|")
        for (i = 2; i < n; i++) {
            add(cells[i])
            flush()
        }
    } else {
        if (line ~ /^([-*+]|[0-9]+[.)]) /) {
            flush()
            sub(/^([-*+]|[0-9]+[.)]) /, "", line)
        }
        add(line)
    }
}

function manual(line) {
    if (line ~ /^\.\\"/ || line ~ /^\.TH/)
        return
    if (line ~ /^\.(nf|EX)/) { flush(); fenced = 1; return }
    if (line ~ /^\.(fi|EE)/) { fenced = 0; return }
    if (fenced)
        return
    if (line ~ /^\.(SH|SS|PP|P|LP|TP|TQ|IP|RS|RE|sp|br|SY|YS|OP)/ || line == "") {
        flush()
        tag_next = line ~ /^\.(TP|TQ)/
        return
    }
    if (tag_next) {
        tag_next = 0
        return
    }
    if (line ~ /^\.[A-Z]+ /) {
        sub(/^\.[A-Z]+ +/, "", line)
        line = "`" line "`"
        # Punctuation that a macro sets behind its word ends sentences as elsewhere.
        if (line ~ / [.,;:]+`$/) {
            sub(/ [^ ]*$/, "", line)
            line = line "`" substr($NF, 1, 1)
        }
    } else if (line ~ /^\./)
        return
    gsub(/\\f[A-Z]/, "", line)
    gsub(/\\-/, "-", line)
    gsub(/\\&/, "", line)
    add(line)
}

function code(line,    at) {
    if (skipped)
        return
    at = 0
    if (line ~ /^[ \t]*\/\//) {
        sub(/^[ \t]*\/\/+ ?/, "", line)
        if (line ~ /^[ \t]*$/)
            flush()
        else if (line ~ /^    /) {      # an example, a drawing, a grammar
            flush()
        } else {
            if (line ~ /^ *([-*]|[0-9]+[.)]) /) {
                flush()
                sub(/^ *([-*]|[0-9]+[.)]) /, "", line)
            } else if (line ~ /^ *[^ ]+( [^ ]+)*   +[^ ]/)  # a row of a table: its label, then text
                flush()
            if (line !~ /^ *[A-Z_0-9]+\(.*\)$/)            # a row's arguments
                add(line)
        }
        return
    }
    flush()
    if (!comments) {
        skipped = 1
        return
    }
    # A comment behind code; "//" inside of a string is none.
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    at = index(line, "// ")
    if (at > 0) {
        add(substr(line, at + 3))
        flush()
    }
}

# --- units ---

function add(line) {
    if (text == "")
        text_line = FNR
    text = text " " line
}

function flush(    n, i, parts, sentence) {
    if (text != "") {
        gsub(/`[^`]*`/, "CODE", text)
        gsub(/!?\[/, "", text)
        gsub(/\]\([^)]*\)/, "", text)
        gsub(/[*"()]/, "", text)
        gsub(/e\.g\./, "for example", text)
        gsub(/i\.e\./, "so", text)
        gsub(/[ \t]+/, " ", text)
        n = split(text, parts, " ")
        sentence = ""
        for (i = 1; i <= n; i++) {
            sentence = sentence " " parts[i]
            if ((parts[i] ~ /[^.][.!?]$/ && parts[i] != "al.") || i == n) {
                judge(substr(sentence, 2))
                sentence = ""
            }
        }
    }
    text = ""
}

function judge(sentence,    n, i, parts, found, bare, listed) {
    n = split(sentence, parts, " ")
    bare = listed = 0
    for (i = 1; i <= n; i++) {
        bare += parts[i] ~ /[A-Za-z]/
        listed += parts[i] ~ /,$/
    }
    if (bare == 0 || 2 * listed > bare)     # nothing, or a list of names
        return
    # A cell or heading of up to three words is a name, not a sentence.
    sentences += bare > 3
    words += bare
    found = 0
    for (i = 1; i <= n; i++)
        found += is_vague(parts, i, n)
    vague += found
    if (bare > LONG)
        long++
    if (mode == "sentences" && (found > 0 || bare > LONG))
        printf "%s:%d: %d vague, %d words: %s\n", file, text_line, found, bare, sentence
    if (mode == "check" && bare > LONGEST)
        complain(text_line, "a sentence of " bare " words: " shortened(sentence))
    if (mode == "check")
        seek_phrases(sentence)
}

function plain(word) {
    word = tolower(word)
    gsub(/[^a-z']/, "", word)
    sub(/'.*/, "", word)
    return word
}

function is_vague(parts, i, n,    word, next_word, before, ends) {
    word = plain(parts[i])
    if (parts[i] == "CODE" || word == "")
        return 0
    if (word == "its" && (i > 2 || kind == "code"))     # the noun stands before it in the same sentence
        return 0
    if (word in always)
        return 1
    if (word != "one" && word != "which" && word != "that" && word != "this" && word != "those" && word != "these")
        return 0
    ends = i == n || parts[i] ~ /[.,;:!?]$/
    if (tolower(parts[i]) ~ /'s/)
        return 1
    next_word = i < n ? plain(parts[i + 1]) : ""
    before = i > 1 ? plain(parts[i - 1]) : ""
    # "in which": the noun stands right before the preposition. "one by one" is a way to do things.
    if (word == "which" && before in prepositions)
        return 0
    if (word == "one" && (next_word == "by" && plain(parts[i + 2]) == "one" || before == "by" && i > 2 && plain(parts[i - 2]) == "one"))
        return 0
    if (word != "that")
        return ends || next_word in follows
    if (ends)
        return 1
    # "that" joins a clause, unless nothing stands before it that a clause could belong to.
    if (i == 1 || parts[i - 1] ~ /[.,;:]$/ || before in precedes)
        return next_word in verbs
    return next_word == "of"
}

function seek_phrases(sentence,    i, tidy) {
    tidy = tolower(sentence)
    gsub(/[;:,.!?]/, " &", tidy)
    tidy = (sentence ~ /\.$/ ? " ^ " : " ") tidy " "
    for (i = 1; i <= phrases; i++)
        if (index(tidy, phrase[i]))
            complain(text_line, "\"" substr(phrase[i], 2, length(phrase[i]) - 2) "\" (" advice[i] "): " shortened(sentence))
}

function shortened(sentence) {
    return length(sentence) > 100 ? substr(sentence, 1, 97) "..." : sentence
}

function complain(line, what) {
    printf "%s:%d: %s\n", file, line, what
    refused++
}

function finish(    slack, limit) {
    flush()
    if (file_number < 3 && file == "")
        return
    if (mode == "measure") {
        if (sentences > 0)
            printf "%6.2f vague words a sentence %5.1f %% long %5.1f words a sentence %6d sentences  %s\n", vague / sentences,
                100 * long / sentences, words / sentences, sentences, file
        return
    }
    slack = kind == "code"
    limit = slack ? HEAD : PAGE
    if (mode == "check" && vague > limit * sentences + 2 * slack)
        complain(1, sprintf("%d vague words in %d sentences, more than %.2f a sentence", vague, sentences, limit))
    if (mode == "check" && long > LONG_SHARE * (1 + slack) * sentences + slack)
        complain(1, sprintf("%d of %d sentences have more than %d words", long, sentences, LONG))
}
