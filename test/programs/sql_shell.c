// Runs the SQL on standard input with SQLite and prints the rows, columns separated by bars.
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

static void print_row(sqlite3_stmt *statement) {
    int count = sqlite3_column_count(statement);
    for (int i = 0; i < count; i++) {
        const unsigned char *text = sqlite3_column_text(statement, i);
        printf("%s%s", text ? (const char *)text : "NULL", i + 1 < count ? "|" : "\n");
    }
}

int main(int argc, char **argv) {
    sqlite3 *database;
    char *sql = malloc(1 << 20);
    if (!sql || sqlite3_open(argc > 1 ? argv[1] : ":memory:", &database) != SQLITE_OK) return 1;
    sql[fread(sql, 1, (1 << 20) - 1, stdin)] = '\0';
    // Statement by statement, so that an error does not end the rest.
    for (const char *rest = sql; *rest;) {
        sqlite3_stmt *statement;
        if (sqlite3_prepare_v2(database, rest, -1, &statement, &rest) != SQLITE_OK) {
            printf("error: %s\n", sqlite3_errmsg(database));
            break;
        }
        if (!statement) continue;
        int step;
        while ((step = sqlite3_step(statement)) == SQLITE_ROW) print_row(statement);
        if (step != SQLITE_DONE) printf("error: %s\n", sqlite3_errmsg(database));
        sqlite3_finalize(statement);
    }
    free(sql);
    return sqlite3_close(database) != SQLITE_OK;
}
