/** Files of the API. They need the token, so they are read by the client and given to the browser from memory. */

/** The name of a file in the headers of its response. */
export const nameOfFile = (headers: Headers): string | undefined =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1]

/** Time for which a browser may need the address of a file that it has begun to store. */
const ADDRESS_KEPT_MS = 60_000

/** Offers the content of a response, which the client returns as a stream, to the user as a file. */
export async function saveFile(content: unknown, name: string): Promise<void> {
  const blob = await new Response(content as BodyInit).blob()
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), ADDRESS_KEPT_MS)
}
