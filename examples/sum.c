// Members are read again after they were written: docs/pipeline.md shows what becomes of the loads.
struct sum {
    int total, count;
} last;

void add(struct sum *sum, int n) {
    sum->total += n;
    sum->count++;
    last.total = sum->total / sum->count;
}
