export { type Language, languageOf } from './pdf/labels.ts'
export {
  BOLD,
  FONT,
  INK,
  MARGIN,
  MUTED,
  makeRoom,
  numberPages,
  openDocument,
  type Page,
  put,
  RULE,
  SHADE,
  widthOf,
} from './pdf/page.ts'
export { exportRoutes } from './routes.ts'
export { sweepExports } from './sweep.ts'
