import { useQuery } from '@tanstack/react-query'
import { makeAnonymousClient } from '../../api/client.ts'
import { useLanguage } from '../../kernel/text.tsx'

/** The settings that are public before a session. */
export function usePublicConfig() {
  const { language } = useLanguage()
  return useQuery({
    queryKey: ['/api/config/public'],
    queryFn: async () => (await makeAnonymousClient(language).get('/api/config/public')).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
