package io.chunkroll.job.report;

/** The place of one chart, with what else can be had of it: its data as a table and as CSV, its picture as SVG and PNG. */
final class ChartCard {
    private ChartCard() {}

    static String of(String id, String label, boolean tall) {
        return """
                <div id="%1$s-card"><div id="%1$s" class="chart%3$s" tabindex="0" role="group" aria-label="%2$s; arrows tell its values"></div>
                <div class="card-foot"><button type="button" data-save="csv" data-chart="%1$s" aria-label="%2$s: data as CSV">CSV</button><button type="button" data-save="svg" data-chart="%1$s" aria-label="%2$s: picture as SVG">SVG</button><button type="button" data-save="png" data-chart="%1$s" aria-label="%2$s: picture as PNG">PNG</button><details><summary>Data as a table</summary><div class="rows scroll" tabindex="0"></div></details></div></div>
                """.formatted(id, Html.escape(label), tall ? " tall" : "");
    }
}
