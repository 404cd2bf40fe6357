import { useEffect, useRef, useState } from 'react'
import type { LiveSample, LiveState } from '../../../clients/typescript/src/index.ts'
import { useClient } from './session.tsx'

/** Calls `onSample` for each sample of the devices while the component is on the page; returns the connection state. */
function useLive(devices: readonly string[], onSample: (sample: LiveSample) => void): LiveState {
  const { api } = useClient()
  const [state, setState] = useState<LiveState>('connecting')
  const listener = useRef(onSample)
  listener.current = onSample
  const key = devices.join(' ')
  useEffect(() => {
    if (key === '') return
    const connection = api.live({
      devices: key.split(' '),
      onSample: (sample) => listener.current(sample),
      onState: setState,
    })
    return () => void connection.close()
  }, [api, key])
  return state
}

/** How long samples are held to be handed over together. */
const BATCH_MS = 200

/** As `useLive`, with the samples of a fifth of a second together: for components that are drawn for each change. */
export function useLiveBatches(
  devices: readonly string[],
  onSamples: (samples: readonly LiveSample[]) => void,
): LiveState {
  const listener = useRef(onSamples)
  listener.current = onSamples
  const held = useRef<LiveSample[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const state = useLive(devices, (sample) => {
    held.current.push(sample)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      listener.current(held.current.splice(0))
    }, BATCH_MS)
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return state
}
