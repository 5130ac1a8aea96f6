package io.chunkroll.job.report;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import org.knowm.xchart.internal.chartpart.Annotation;

/** A roll's name above it, in the colour of its run. It is text in an SVG, to be searched and read aloud, where XChart's own are shapes. */
final class RollText extends Annotation {
    private final RollNames.Name name;
    private final double height;
    private final Color colour;

    /** @param height where its middle is, in rows a second */
    RollText(RollNames.Name name, double height, Color colour) {
        super(false);
        this.name = name;
        this.height = height;
        this.colour = colour;
    }

    @Override
    public void paint(Graphics2D graphics) {
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, RollNames.FONT);
        graphics.setFont(font);
        graphics.setColor(colour);
        double width = font.getStringBounds(name.text(), graphics.getFontRenderContext())
                .getWidth();
        graphics.drawString(
                name.text(),
                (float) (getXAxisScreenValue(name.at()) - width / 2),
                getYAxisScreenValue(height) + RollNames.FONT / 3f);
    }
}
