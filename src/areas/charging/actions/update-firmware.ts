/** What `update_firmware` and `update_signed_firmware` are asked to do. */
export interface UpdateFirmware {
  readonly update_id: string
  readonly attempt: number
  /** A link of this attempt. */
  readonly location: string
  /** ISO 8601. */
  readonly retrieve_at: string
  /** PEM, and the signature that it made of the file, base64: of a signed update. */
  readonly signing_certificate?: string
  readonly signature?: string
}
