const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** The bytes of a secret as an authenticator app receives it. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map((digit) => BASE32.indexOf(digit).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}
