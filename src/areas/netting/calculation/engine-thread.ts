import { parentPort } from 'node:worker_threads'
import type { EncodedRows } from '../../../platform/db/copy-rows.ts'
import { type EngineSteps, makeEngineSteps } from './engine-steps.ts'

// The script of the thread of one calculation: it performs the steps that the messages name, one at a time.

export interface StepRequest {
  readonly step: keyof EngineSteps
  readonly args: readonly unknown[]
}
export type StepResponse = { readonly value: unknown } | { readonly error: string }

const steps = makeEngineSteps()

parentPort?.on('message', ({ step, args }: StepRequest) => {
  void perform(step, args).then((response) => parentPort?.postMessage(response, movable(response)))
})

async function perform(step: keyof EngineSteps, args: readonly unknown[]): Promise<StepResponse> {
  try {
    const call = steps[step] as (...given: readonly unknown[]) => unknown
    return { value: await call(...args) }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** Rows and buffers are moved to the other thread, not copied. */
function movable(response: StepResponse): ArrayBuffer[] {
  if ('error' in response) return []
  if (response.value instanceof ArrayBuffer) return [response.value]
  const { bytes } = (response.value ?? {}) as Partial<EncodedRows>
  return bytes ? [bytes.buffer] : []
}
