/** Parts of many messages of 2.0.1, as their schemas let them in. */
export interface Evse {
  readonly id: number
  readonly connectorId?: number
}
export interface IdToken {
  readonly idToken: string
  readonly type: string
}
