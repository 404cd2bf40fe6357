import { useEffect, useRef, useState } from 'react'
import type { LiveSample, LiveState } from '../../../clients/typescript/src/index.ts'
import { useClient } from './session.tsx'

/** Calls `onSample` for each sample of the devices while the component is on the page; returns the connection state. */
export function useLive(devices: readonly string[], onSample: (sample: LiveSample) => void): LiveState {
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
