/**
 * Error of a call without an answer. `nobody`: no process answers the subject. `late`: no answer
 * within the time limit. `away`: the connection to the other processes is interrupted.
 */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  override readonly cause: 'nobody' | 'late' | 'away'
  readonly subject: string
  /** The call was sent, so that it may have been carried out; otherwise it certainly was not. */
  readonly mayHaveRun: boolean

  constructor(subject: string, cause: NoAnswer['cause'], mayHaveRun: boolean) {
    super(`${subject}: ${reasons[cause]}`)
    this.subject = subject
    this.cause = cause
    this.mayHaveRun = mayHaveRun
  }
}

const reasons = {
  nobody: 'no process answers',
  late: 'no answer in time',
  away: 'the connection to the other processes is interrupted',
}

/** Connection of a wire, for people who look after the installation. */
export type WireLink = { name: 'calls' | 'live'; server: string | undefined }

type Place = { subject: string; live: boolean }

/**
 * Way to the other processes: frames by subject, without any knowledge of what they hold. Nothing
 * comes back to the process that sent it.
 */
export type Wire = {
  /** Reply frame of the process that answers; throws `NoAnswer`. */
  ask: (subject: string, frame: Uint8Array, withinMs: number) => Promise<Uint8Array>
  /** Returns how to stop: it ends when no more calls come. */
  answer: (subject: string, take: (frame: Uint8Array) => Promise<Uint8Array>) => () => Promise<void>
  /** False when the frame was dropped. */
  tell: (place: Place, frame: Uint8Array) => boolean
  /** Frames of all subjects of a pattern, in which `*` stands for one part. */
  hear: (place: Place, take: (frame: Uint8Array, subject: string) => void) => () => void
  /**
   * Ends when the server in use has all subscriptions of this process. Further servers of a cluster have
   * them a moment later.
   */
  subscribed: () => Promise<void>
  links: () => WireLink[]
  close: () => Promise<void>
}
