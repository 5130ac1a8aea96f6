/**
 * The report while runs go on.
 *
 * <pre>
 *  Run, or whoever watches a load ──► LiveRuns ──► LivePage ──► browsers
 *       begins, saw, ended            what there is  HTTP, a copy at a time
 * </pre>
 *
 * The one who watches never waits for a reader: it only adds to a list, and pages are made when they are asked for.
 */
package io.chunkroll.job.live;
