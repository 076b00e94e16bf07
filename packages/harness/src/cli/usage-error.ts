/** A command line that says something the program does not take: one line and exit code 2 (spec 06 §B2). */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** What to type for help. */
  readonly hint: string;

  /**
   * @param what what is wrong, without a full stop
   * @param command the command it is about; left out for the program as a whole
   */
  constructor(what: string, command?: string) {
    super(what);
    this.hint = command === undefined ? "archmax help" : `archmax ${command} --help`;
  }
}
