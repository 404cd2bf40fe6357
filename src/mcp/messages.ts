import { messages } from '../kernel/messages.ts'

export const MCP_TEXTS = messages({
  MCP_ORIGIN_NOT_ALLOWED: {
    en: 'pages of this origin may not call the service; CORS_ORIGINS lists those that may',
    tr: 'bu kaynağın sayfaları hizmeti çağıramaz; izinli olanlar CORS_ORIGINS ayarındadır',
  },
})
