export { deviceTemplateRoutes } from './routes.ts'
export { createSystemTemplates, ensureSystemTemplates } from './system-templates.ts'
