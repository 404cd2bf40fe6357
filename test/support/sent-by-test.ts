/** Marks a statement that a test sends itself over a connection of the service; it also stands in the server's log. */
export const SENT_BY_TEST = '/* sent by a test */'
