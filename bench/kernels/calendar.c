// Cause 5, constant tables: dates. Lengths of months come from tables, sums over a constant table
// have constant bounds, and names are in an array of structures.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int month_days[2][12] = {{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31},
                                      {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}};

static const struct {
    const char *name;
    int first_day, days;
} quarters[] = {{"winter", 1, 90}, {"spring", 91, 91}, {"summer", 182, 92}, {"autumn", 274, 92}};

typedef struct {
    int year, month, day;
} Date;

static int is_leap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int day_of_year(Date date) {
    int day = date.day;
    for (int m = 0; m < date.month - 1; m++) day += month_days[is_leap(date.year)][m];
    return day;
}

static int days_in_year(int year) {
    int days = 0;
    for (int m = 0; m < 12; m++) days += month_days[is_leap(year)][m];
    return days;
}

static Date next(Date date) {
    if (++date.day > month_days[is_leap(date.year)][date.month - 1]) {
        date.day = 1;
        if (++date.month > 12) {
            date.month = 1;
            date.year++;
        }
    }
    return date;
}

static int quarter_of(int day) {
    int quarter = 0;
    for (int q = 0; q < 4; q++)
        if (day >= quarters[q].first_day) quarter = q;
    return quarter;
}

static int weekday(Date date) {
    static const int shift[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    int year = date.year - (date.month < 3);
    return (year + year / 4 - year / 100 + year / 400 + shift[date.month - 1] + date.day) % 7;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 130;
    uint64_t hash = 0;
    for (int round = 0; round < rounds; round++) {
        Date date = {1900 + round % 100, 1, 1};
        long days = 0;
        while (date.year < 2150) {
            int day = day_of_year(date), quarter = quarter_of(day);
            hash = hash * 3 + (uint64_t)(weekday(date) * 400 + day);
            hash += strlen(quarters[quarter].name) + (size_t)quarters[quarter].days;
            days++;
            date = next(date);
        }
        for (int year = 1900; year < 2150; year++) days -= days_in_year(year);
        hash ^= (uint64_t)days;
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
