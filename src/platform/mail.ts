export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends a mail, or throws; within OUTGOING_CALL_TIMEOUT_MS. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}
