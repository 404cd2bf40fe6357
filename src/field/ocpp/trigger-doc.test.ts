import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { CommandEncoder, CommandTarget } from './types.ts'
import { ENCODERS_16 } from './v16/index.ts'
import { ENCODERS_201 } from './v201/index.ts'

const NONE = '—'

/** The message that an encoder requests for a value, as a cell of the table. */
function cellOf(encoder: CommandEncoder<never> | undefined, message: string): string {
  try {
    const request = encoder?.encode({ message } as never, {} as CommandTarget) as {
      requestedMessage?: string
    }
    return request.requestedMessage ?? NONE
  } catch {
    return NONE
  }
}

/** The values of `message` that the OpenAPI document lists for an action, and their description. */
async function messageOf(action: string): Promise<{ enum: string[]; description: string }> {
  const { paths } = JSON.parse(await readFile('docs/api/openapi.json', 'utf8'))
  const { schema } = paths['/api/ocpp/chargers/{id}/commands'].post.requestBody.content['application/json']
  return schema.oneOf.find(
    ({ properties }: { properties: { action: { enum: string[] } } }) => properties.action.enum[0] === action,
  ).properties.message
}

describe('the values of trigger_message', () => {
  it('are listed in docs/integrate/chargers.md with the message that each OCPP version has', async () => {
    const text = await readFile('docs/integrate/chargers.md', 'utf8')
    const section = text.split(/^### /m).find((part) => part.startsWith('Triggered messages')) ?? ''
    const rows = section.split('\n').filter((line) => line.startsWith('| `'))
    const values = [
      ...new Set([
        ...(await messageOf('trigger_message')).enum,
        ...(await messageOf('extended_trigger_message')).enum,
      ]),
    ]
    expect(values.length).toBeGreaterThan(8)
    expect(rows).toEqual(
      values.map((value) => {
        const cells = [
          cellOf(ENCODERS_16.trigger_message, value),
          cellOf(ENCODERS_16.extended_trigger_message, value),
          cellOf(ENCODERS_201.trigger_message, value),
        ]
        return `| \`${value}\` | ${cells.join(' | ')} |`
      }),
    )
  })

  it('that only one version has are named in the OpenAPI document', async () => {
    const { enum: values, description } = await messageOf('trigger_message')
    const lacking = (encoder: CommandEncoder<never> | undefined) =>
      values.filter((value) => cellOf(encoder, value) === NONE).join(', ')
    expect(description).toContain(`OCPP 1.6 has no ${lacking(ENCODERS_16.trigger_message)}; `)
    expect(description).toContain(`OCPP 2.0.1 has no ${lacking(ENCODERS_201.trigger_message)}. `)
  })

  it('that a station of OCPP 1.6 does not have name the action that has them, if any', () => {
    const encode = (message: string) => () =>
      ENCODERS_16.trigger_message?.encode({ message } as never, {} as CommandTarget)
    expect(encode('log_status_notification')).toThrow('use extended_trigger_message')
    expect(encode('transaction_event')).toThrow('OCPP 1.6 does not trigger transaction_event')
    expect(encode('transaction_event')).not.toThrow('extended_trigger_message')
  })
})
