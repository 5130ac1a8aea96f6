package io.chunkroll.job.run;

import java.util.Properties;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Makes the reporter; found by Flink through its service file. */
public final class RunMetricsFactory implements MetricReporterFactory {

    @Override
    public MetricReporter createMetricReporter(Properties properties) {
        return RunMetrics.register(properties.getProperty(RunMetrics.RUN, ""));
    }
}
