/**
 * What a load is told, under the same keys wherever it is said: on the command line, in a YAML file, as an argument of the job jar.
 *
 * <pre>
 *  --key value … ─┐
 *                 ├─▶ texts by key ──▶ SettingsReader (one Setting a key) ──▶ Settings
 *  --config FILE ─┘                          └─ all faults at once ──▶ SettingsException
 * </pre>
 */
package io.chunkroll.job.settings;
