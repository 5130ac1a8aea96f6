package io.chunkroll.sinks.copy;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * A row that the server does not take.
 *
 * @param row its number in the batch
 * @param column the column whose value is refused, or empty where the server names none
 * @param reason the server's words
 */
record RefusedRow(int row, String column, String reason) {
    private static final int LONGEST_REASON = 1_000;
    private static final Set<String> ROW_IN_DETAIL = Set.of("23502", "23514");
    private static final Pattern COPY_CONTEXT =
            Pattern.compile("^COPY .*?, line (\\d+)(?:, column ([^:\\n]+))?", Pattern.MULTILINE);

    static RefusedRow of(int row, SQLException refusal) {
        return said(refusal)
                .map(said -> {
                    String column = Optional.ofNullable(said.getColumn())
                            .or(() -> copyContext(said).map(context -> context.group(2)))
                            .orElse("");
                    return new RefusedRow(row, column, cut(said.getMessage() + detail(said)));
                })
                .orElseGet(() -> new RefusedRow(row, "", cut(refusal.getMessage())));
    }

    /**
     * Which of a COPY's rows the server was at, counted from 1, or 0 if it does not say so. No more than a hint: the words are for people,
     * and may be of any language.
     */
    static int lineOf(SQLException refusal) {
        return said(refusal)
                .flatMap(RefusedRow::copyContext)
                .map(context -> Integer.parseInt(context.group(1)))
                .orElse(0);
    }

    private static Optional<ServerErrorMessage> said(SQLException refusal) {
        return refusal instanceof PSQLException failure
                ? Optional.ofNullable(failure.getServerErrorMessage())
                : Optional.empty();
    }

    /** What a NOT NULL or a CHECK adds is but the row, which a reject has anyway. */
    private static String detail(ServerErrorMessage said) {
        boolean isRow = ROW_IN_DETAIL.contains(String.valueOf(said.getSQLState()));
        return isRow || said.getDetail() == null ? "" : " (" + said.getDetail() + ")";
    }

    private static Optional<Matcher> copyContext(ServerErrorMessage said) {
        return Optional.ofNullable(said.getWhere()).map(COPY_CONTEXT::matcher).filter(Matcher::find);
    }

    private static String cut(String reason) {
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON) + "…";
    }
}
