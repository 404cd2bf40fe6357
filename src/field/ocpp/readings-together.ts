import { AppError } from '../../kernel/errors.ts'
import type { Ingest, Sample } from '../../platform/ingest.ts'

type Submit = (tenantId: number, samples: readonly Sample[]) => Promise<unknown>

/**
 * Hands in together what the stations of a tenant have sent in one turn of the event loop: thousands of small messages
 * are a few blocks of samples then, and none waits for another longer than that turn. Resolves when they are committed. What
 * is wrong with the samples of one station is told to that station alone.
 */
export function submitTogether(ingest: Pick<Ingest, 'submit'>): Submit {
  const waiting = new Map<number, { readonly samples: Sample[]; readonly stored: Promise<unknown> }>()

  async function storeAfterTurn(tenantId: number, samples: readonly Sample[]): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    waiting.delete(tenantId)
    await ingest.submit(tenantId, samples)
  }

  return async (tenantId, own) => {
    let together = waiting.get(tenantId)
    if (!together) {
      const samples: Sample[] = []
      together = { samples, stored: storeAfterTurn(tenantId, samples) }
      waiting.set(tenantId, together)
    }
    for (const sample of own) together.samples.push(sample)
    try {
      await together.stored
    } catch (error) {
      const isAlone = together.samples.length === own.length
      if (isAlone || !(error instanceof AppError) || error.status !== 422) throw error
      // Somebody's device is gone, and then nothing is stored.
      await ingest.submit(tenantId, own)
    }
  }
}
