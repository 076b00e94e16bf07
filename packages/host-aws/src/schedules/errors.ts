/** The typed errors of the timed resumes. */

/**
 * A request to EventBridge Scheduler that failed for good, after the client's retries. `cause` is what the SDK threw.
 * A creation that ended so may have been done or not: arming again is safe.
 */
export class ResumeScheduleError extends Error {
  override readonly name = "ResumeScheduleError";
  /** The request that failed, for example `CreateSchedule`. */
  readonly operation: string;
  /** The schedule's name, or what the names asked for begin with. */
  readonly scheduleName: string;

  constructor(operation: string, scheduleName: string, cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(`${operation} of schedule "${scheduleName}" failed: ${reason}`, { cause });
    this.operation = operation;
    this.scheduleName = scheduleName;
  }
}
