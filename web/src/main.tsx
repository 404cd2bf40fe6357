import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeLinkToken } from './api/link-token.ts'
import { ClientProvider } from './api/session.tsx'
import { makeRouter } from './app/router.tsx'
import { LanguageProvider } from './kernel/text.tsx'
import { applyTheme } from './kernel/theme.ts'
import './styles/index.css'

applyTheme()
takeLinkToken()
// The client repeats requests that can be repeated; a second layer of attempts would only delay the error.
const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 15_000 } } })
const router = makeRouter()

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <ClientProvider>
            <RouterProvider router={router} />
          </ClientProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </StrictMode>,
  )
