/**
 * Rows from CSV files.
 *
 * <pre>
 *  before the job                                    in the job
 *  CsvSource.plan                                    FileSource (Flink)
 *   ├ FileFinder          path ─▶ files               ├ SplitMaker        files ─▶ splits of 8 MiB and more, numbered
 *   ├ FileHead, FieldMap  first line ─▶ columns       ├ InOrderAssigner   the lowest number to whoever asks
 *   └ QuotedNewlineProbe  may it be cut?              └ CsvFormat         split ─▶ tuples
 *
 *  in CsvFormat, one split
 *              fetcher thread                  │                      task thread
 *  Compression ─▶ BlockReader ─────────────────┼▶ Records ─▶ RowScanner ─▶ RowParser ─▶ Tuple + offset of the next row
 *  bytes          blocks of whole rows         │          slices        RowEncoder
 *                 (QuoteTracker, where rows    │                           └▶ CsvBadRows: an exception, or a Reject
 *                  may run over line ends)     │
 *                      ▲                       │    │
 *                      └───────────────── recycled ─┘
 * </pre>
 *
 * <p>A row belongs to the split in which it begins. A split in the midst of a file starts one byte early, passes over the first
 * line end, and finishes the row that crosses its end. That holds only where every line end ends a row: a file with line ends
 * within quotes is not cut, and if one turns up in a file that was cut, the split in which the first such row begins is
 * still read from a true row start, notices, and fails the job.
 */
package io.chunkroll.sources.csv;
