package io.chunkroll.job.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The main chart, rows a second over time with the rolls marked, as a picture; made without a browser. */
final class RateImage {
    private static final int WIDTH = 1200;
    private static final int HEIGHT = 640;
    private static final int PNG_SCALE = 2;
    private static final int MARKERS = 9;
    /** Okabe and Ito's, as on the page. */
    private static final List<Color> COLOURS = List.of(
            new Color(0x0072b2),
            new Color(0xd55e00),
            new Color(0x009e73),
            new Color(0xb0558c),
            new Color(0x9a6b00),
            new Color(0x444e5a));

    private static final List<Marker> SHAPES = List.of(
            SeriesMarkers.CIRCLE,
            SeriesMarkers.SQUARE,
            SeriesMarkers.TRIANGLE_UP,
            SeriesMarkers.DIAMOND,
            SeriesMarkers.TRIANGLE_DOWN,
            SeriesMarkers.CROSS);

    /** What about is left for the curves beside the axis. */
    private static final int PLOT_WIDTH = 1080;
    /** Of the curves' height. */
    private static final double LINE_OF_NAMES = 0.05;

    private final XYChart chart;
    private final List<RollNames> names;
    /** The highest point of all curves. */
    private final double top;

    private RateImage(List<RunFolder> folders) {
        System.setProperty("java.awt.headless", "true");
        chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(ClosingWords.headline(folders))
                .xAxisTitle("seconds into the load")
                .yAxisTitle("rows a second, moving average")
                .build();
        style();
        List<MeasuredRun> runs = MeasuredRun.of(folders);
        names = RollNames.of(runs, PLOT_WIDTH);
        top = runs.stream()
                .flatMap(run -> average(run).values().stream())
                .max(Double::compare)
                .orElse(0.0);
        List<String> groups = new ArrayList<>();
        for (MeasuredRun run : runs) {
            if (!groups.contains(run.summary().name())) {
                groups.add(run.summary().name());
            }
            curve(run, groups.indexOf(run.summary().name()));
        }
        names(groups);
    }

    /** Above the curves, a line of names for each group of runs that has any. */
    private void names(List<String> groups) {
        if (names.isEmpty() || top <= 0) {
            return;
        }
        chart.getStyler().setYAxisMax(height(names.size()));
        for (int line = 0; line < names.size(); line++) {
            for (RollNames.Name name : names.get(line).names()) {
                chart.addAnnotation(new RollText(
                        name,
                        height(line),
                        colour(groups.indexOf(names.get(line).run().summary().name()))));
            }
        }
        if (names.stream().anyMatch(RollNames::areNumbers)) {
            chart.setXAxisTitle("seconds into the load; numbers above: chunks");
        }
    }

    private double height(int line) {
        return top * (1 + LINE_OF_NAMES * (line + 0.5));
    }

    /** How high the dashed line of a roll goes: to its name, where it is named. */
    private double height(MeasuredRun run, double own) {
        for (int line = 0; line < names.size(); line++) {
            if (names.get(line).run().label().equals(run.label())) {
                return height(line) - top * LINE_OF_NAMES / 2;
            }
        }
        return own;
    }

    private static Map<Double, Double> average(MeasuredRun run) {
        return RateAverage.of(run.folder().timeline().load(), run.sawtooth().chunks());
    }

    private void style() {
        chart.getStyler()
                .setChartBackgroundColor(Color.WHITE)
                .setLegendPosition(Styler.LegendPosition.OutsideS)
                .setLegendLayout(Styler.LegendLayout.Horizontal)
                .setLegendBorderColor(Color.WHITE)
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 20))
                .setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
        chart.getStyler()
                .setYAxisMin(0.0)
                .setXAxisMin(0.0)
                .setPlotGridVerticalLinesVisible(false)
                .setPlotBorderVisible(false);
        chart.getStyler().setYAxisDecimalPattern("#,##0").setXAxisDecimalPattern("#,##0");
    }

    private void curve(MeasuredRun run, int group) {
        List<TimelinePoint> load = run.folder().timeline().load();
        Map<Double, Double> average = average(run);
        double[][] points = load.stream()
                .map(TimelinePoint::elapsedSeconds)
                .filter(average::containsKey)
                .map(at -> new double[] {at, average.get(at)})
                .toArray(double[][]::new);
        if (points.length == 0) {
            return;
        }
        add(run.label(), points, group, new BasicStroke(2.5f), SeriesMarkers.NONE)
                .setShowInLegend(false);
        double own = 0;
        List<double[]> some = new ArrayList<>();
        int every = Math.max(1, points.length / MARKERS);
        for (int i = 0; i < points.length; i++) {
            own = Math.max(own, points[i][1]);
            if (i % every == every / 2) {
                some.add(points[i]);
            }
        }
        add(
                        run.label() + " ",
                        some.isEmpty() ? points : some.toArray(double[][]::new),
                        group,
                        new BasicStroke(1),
                        SHAPES.get(group % SHAPES.size()))
                .setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
        List<ChunkRates> chunks = run.sawtooth().chunks();
        for (int i = 1; i < chunks.size(); i++) {
            double at = chunks.get(i).fromSeconds();
            BasicStroke dashed =
                    new BasicStroke(1.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 1, new float[] {6, 5}, 0);
            add(
                            run.label() + " roll " + i,
                            new double[][] {{at, 0}, {at, height(run, own)}},
                            group,
                            dashed,
                            SeriesMarkers.NONE)
                    .setShowInLegend(false);
        }
    }

    private XYSeries add(String name, double[][] points, int group, BasicStroke stroke, Marker marker) {
        double[] x = new double[points.length];
        double[] y = new double[points.length];
        for (int i = 0; i < points.length; i++) {
            x[i] = points[i][0];
            y[i] = points[i][1];
        }
        XYSeries series = chart.addSeries(name, x, y);
        Color colour = colour(group);
        series.setLineColor(colour);
        series.setLineStyle(stroke);
        series.setMarker(marker);
        series.setMarkerColor(colour);
        return series;
    }

    private static Color colour(int group) {
        return COLOURS.get(group % COLOURS.size());
    }

    static byte[] svg(List<RunFolder> folders) throws IOException {
        try {
            SVGGraphics2D graphics = new SVGGraphics2D(DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument("http://www.w3.org/2000/svg", "svg", null));
            graphics.setSVGCanvasSize(new java.awt.Dimension(WIDTH, HEIGHT));
            new RateImage(folders).chart.paint(graphics, WIDTH, HEIGHT);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            graphics.stream(new OutputStreamWriter(bytes, StandardCharsets.UTF_8), true);
            // Java's name for it is nobody else's.
            return bytes.toString(StandardCharsets.UTF_8)
                    .replace("font-family:'Dialog'", "font-family:sans-serif")
                    .getBytes(StandardCharsets.UTF_8);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("This Java makes no XML documents", e);
        }
    }

    static byte[] png(List<RunFolder> folders) throws IOException {
        BufferedImage image = new BufferedImage(WIDTH * PNG_SCALE, HEIGHT * PNG_SCALE, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.scale(PNG_SCALE, PNG_SCALE);
        new RateImage(folders).chart.paint(graphics, WIDTH, HEIGHT);
        graphics.dispose();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        return bytes.toByteArray();
    }
}
