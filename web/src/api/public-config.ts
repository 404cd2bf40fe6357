import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../kernel/text.tsx'
import { makeAnonymousClient } from './client.ts'

/** The settings that are public before a session. */
export function usePublicConfig() {
  const { language } = useLanguage()
  return useQuery({
    queryKey: ['/api/config/public'],
    queryFn: async () => (await makeAnonymousClient(language).get('/api/config/public')).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
