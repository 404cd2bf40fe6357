import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface ReceivedMail {
  readonly to: string
  readonly messageId: string
  /** As received, headers and body. */
  readonly raw: string
}

export interface SmtpServer {
  readonly url: string
  readonly mails: ReceivedMail[]
  /** Replies to the next mails after their text; 250 when the list is empty. */
  readonly replies: ('250 kept' | '451 try later' | 'cut')[]
  close(): Promise<void>
}

/**
 * A minimal SMTP server over TCP. `cut`: the mail is stored, and the connection is closed without a reply.
 */
export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  const replies: SmtpServer['replies'] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let to = ''
    let text: string | undefined
    let line = ''
    const sendReply = (reply: string) => void socket.write(`${reply}\r\n`)
    const endMail = (raw: string) => {
      const reply = replies.shift() ?? '250 kept'
      if (!reply.startsWith('451'))
        mails.push({ to, raw, messageId: /^message-id: *(\S+)/im.exec(raw)?.[1] ?? '' })
      if (reply === 'cut') socket.destroy()
      else sendReply(reply)
    }
    const onCommand = (command: string) => {
      if (/^rcpt to:/i.test(command)) to = /<(.*?)>/.exec(command)?.[1] ?? ''
      if (/^data$/i.test(command)) {
        text = ''
        return sendReply('354 go on')
      }
      if (/^quit$/i.test(command)) return void socket.end('221 bye\r\n')
      sendReply('250 test')
    }
    sendReply('220 test')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      line += chunk
      for (let end = line.indexOf('\r\n'); end >= 0; end = line.indexOf('\r\n')) {
        const completeLine = line.slice(0, end)
        line = line.slice(end + 2)
        if (text === undefined) onCommand(completeLine)
        else if (completeLine === '.') {
          const raw = text
          text = undefined
          endMail(raw)
        } else text += `${completeLine}\r\n`
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    replies: replies,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The text of a mail, decoded from quoted-printable. */
export function textOfMail(mail: ReceivedMail | undefined): string {
  const bytes = (mail?.raw ?? '')
    .replaceAll('=\r\n', '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
