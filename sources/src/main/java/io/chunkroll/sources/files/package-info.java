/**
 * What sources of files of any format share: finding files, cutting them into splits that are handed out in order, unpacking, reading blocks of
 * whole rows, and what becomes of bad rows.
 *
 * <pre>
 *  FileFinder ─▶ InputFile ─▶ SplitMaker ─▶ InOrderAssigner
 *  SplitReader (one split): Compression ─▶ BlockReader (RowEnds) ─▶ Block ─▶ Records ─▶ RecordParser (a format's) ─▶ Tuple
 *                                                                                      └ BadRows, Place
 * </pre>
 */
package io.chunkroll.sources.files;
