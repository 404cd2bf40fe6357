import { AppError } from '../../kernel/errors.ts'
import { isConnectionLoss, isTransactionConflict } from '../../platform/db/errors.ts'

/** A statement that took too long: the database is there and busy. */
const CANCELLED = '57014'

/** Whether the same work may succeed a moment later; anything else is the fault of what is being stored. */
export const mayPass = (error: unknown): boolean =>
  (error instanceof AppError && error.status === 503) ||
  isConnectionLoss(error) ||
  isTransactionConflict(error) ||
  (error as { code?: unknown }).code === CANCELLED
