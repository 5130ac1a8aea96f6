package io.chunkroll.rows;

/** A field's text is no value of its column's type. Carries no stack trace: a file may hold millions of such fields. */
public final class BadValueException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param reason what is wrong with the value, as a clause: {@code "12x" is no integer} */
    public BadValueException(String reason) {
        super(reason, null, false, false);
    }
}
