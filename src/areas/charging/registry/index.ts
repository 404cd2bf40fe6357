export {
  alarmSubject,
  type ChargerRef,
  findCharger,
  type KnownCharger,
  lockCharger,
  lockChargerRow,
  readAlarmPayload,
  referToCharger,
  requireCharger,
} from './store.ts'
