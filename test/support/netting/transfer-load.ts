import { callService } from '../process/call.ts'

/** The address, the login and the accounts of transfers of limit. */
export interface TransferTarget {
  readonly url: string
  readonly token: string
  readonly source: string
  readonly target: string
}

/** One transfer; its amount in Wh is its number, so every movement shows which transfer it is of. */
export interface SentTransfer {
  readonly number: number
  /** 0 without an answer. */
  readonly status: number
}

export interface TransferLoad {
  readonly sent: readonly SentTransfer[]
  accepted(): number
  end(): Promise<readonly SentTransfer[]>
}

const CLIENTS = 3
const PAUSE_MS = 50
const INITIAL_KWH = 1_000_000

/** A facility with accounts of the same year, created over HTTP. */
export async function createTransferTarget(url: string, token: string): Promise<TransferTarget> {
  const post = (path: string, body: object) => callService('POST', `${url}/api/${path}`, token, body)
  const region = await post('regions', { name: 'transfers' })
  const subregion = await post('subregions', { name: 'transfers', region_id: region.id })
  const account = async (): Promise<string> => {
    const facility = await post('mahsuplasma/facilities', { subregion_id: subregion.id })
    const body = {
      facility_id: facility.id,
      year: 2026,
      initial_limit_kwh: INITIAL_KWH,
      limit_source: 'manual',
    }
    return (await post('mahsuplasma/limits/accounts', body)).id
  }
  return { url, token, source: await account(), target: await account() }
}

/** Several clients, each with one transfer after the other, until the end; their numbers begin with `firstNumber`. */
export function startTransfers(
  { url, token, source, target }: TransferTarget,
  firstNumber: number,
): TransferLoad {
  const sent: SentTransfer[] = []
  let next = firstNumber
  let isOver = false
  const transfer = async (number: number): Promise<number> => {
    const body = {
      source_account_id: source,
      target_account_id: target,
      amount_kwh: (number / 1000).toFixed(3),
      contracted_power_confirmed: true,
    }
    const response = await fetch(`${url}/api/mahsuplasma/limits/transfer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await response.arrayBuffer()
    return response.status
  }
  const client = async (): Promise<void> => {
    while (!isOver) {
      const number = next++
      sent.push({ number, status: await transfer(number).catch(() => 0) })
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))
  return {
    sent,
    accepted: () => sent.filter(({ status }) => status === 201).length,
    async end() {
      isOver = true
      await clients
      return sent
    },
  }
}

interface Movement {
  readonly movement_type: string
  readonly amount_kwh: string
}

async function movementsOf({ url, token }: TransferTarget, account: string): Promise<number[]> {
  const amounts: number[] = []
  for (let offset = 0; ; ) {
    const path = `/api/mahsuplasma/limits/accounts/${account}/movements?limit=500&offset=${offset}`
    const page: Movement[] = await callService('GET', url + path, token)
    for (const { movement_type, amount_kwh } of page)
      if (movement_type !== 'initial') amounts.push(Math.round(Number(amount_kwh) * 1000))
    if (page.length < 500) return amounts
    offset += page.length
  }
}

/**
 * Compares the ledger with the transfers: an accepted one is booked once in both accounts, any other at most once, and
 * in both or in none.
 */
export async function auditTransfers(to: TransferTarget, sent: readonly SentTransfer[]): Promise<string[]> {
  const [out, into] = [await movementsOf(to, to.source), await movementsOf(to, to.target)]
  const countOf = (amounts: readonly number[], amount: number) =>
    amounts.filter((one) => one === amount).length
  const faults = sent.flatMap(({ number, status }) => {
    const counts = [countOf(out, -number), countOf(into, number)]
    const isRight = counts[0] === counts[1] && (status === 201 ? counts[0] === 1 : Number(counts[0]) <= 1)
    return isRight ? [] : [`transfer ${number} answered ${status} is booked ${counts.join(' and ')} times`]
  })
  const known = new Set(sent.map(({ number }) => number))
  const strange = [...out, ...into].filter((amount) => !known.has(Math.abs(amount)))
  return [...faults, ...strange.map((amount) => `a movement of ${amount} Wh was never sent`)].slice(0, 10)
}
