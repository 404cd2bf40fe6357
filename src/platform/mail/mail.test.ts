import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeOutboxMailer, makeSmtpMailer } from './mail.ts'

const MAIL = { to: 'ayse@plant.example', subject: 'Yeni şifre', text: 'https://a.example/reset?token=abc' }

describe('mail', () => {
  it('is written to a file readable by its owner only, and the log has the file without the text', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'netsaat-mail-'))
    const logged: object[] = []
    const outbox = join(folder, 'outbox')
    const mailer = makeOutboxMailer({
      folder: outbox,
      from: 'netsaat@plant.example',
      now: () => Date.UTC(2026, 10, 20),
      log: { info: (fields: object) => void logged.push(fields) },
    })
    await mailer.send(MAIL)
    const [name = ''] = await readdir(outbox)
    const file = join(outbox, name)
    expect(logged).toEqual([{ file }])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    expect(text).toContain(`To: ${MAIL.to}\nSubject: ${MAIL.subject}\n`)
    expect(text).toContain('\nContent-Type: text/plain; charset=utf-8\n')
    await rm(folder, { recursive: true, force: true })
  })

  it('has a subject of one line, whatever the text contains', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'netsaat-mail-'))
    const mailer = makeOutboxMailer({ folder, from: 'a@b.example', now: () => 0, log: { info() {} } })
    await mailer.send({ ...MAIL, subject: 'Alarm\r\nBcc: all@b.example\n\nText\u202e' })
    const [name = ''] = await readdir(folder)
    expect(await readFile(join(folder, name), 'utf8')).toContain(
      '\nSubject: Alarm Bcc: all@b.example Text \nDate:',
    )
    await rm(folder, { recursive: true, force: true })
  })

  it('is sent to the SMTP server', async () => {
    const server = createServer(answerAsSmtp).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const mailer = makeSmtpMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'netsaat@plant.example' })
    await mailer.send(MAIL)
    expect(received).toContain('RCPT TO:<ayse@plant.example>')
    expect(received).toContain('From: netsaat@plant.example')
    server.close()
  })

  it('fails within the timeout when the server does not respond', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    server.close()
    const mailer = makeSmtpMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'a@b.example' })
    await expect(mailer.send(MAIL)).rejects.toThrow('ECONNREFUSED')
  })
})

let received = ''

/** The part of a mail server that one mail needs. */
function answerAsSmtp(socket: Socket): void {
  let isData = false
  socket.write('220 test\r\n')
  socket.on('data', (bytes) => {
    const text = String(bytes)
    received += text
    if (isData) {
      if (!received.includes('\r\n.\r\n')) return
      isData = false
      socket.write('250 kept\r\n')
    } else if (text.startsWith('DATA')) {
      isData = true
      socket.write('354 go on\r\n')
    } else if (text.startsWith('QUIT')) {
      socket.end('221 bye\r\n')
    } else {
      socket.write('250 test\r\n')
    }
  })
}
