export { settleClearedProfiles, settleProfile } from './effects.ts'
export {
  type ClearChargingProfiles,
  type GetCompositeSchedule,
  type Profile,
  type ProfilePurpose,
  RATE_UNITS,
  type SetChargingProfile,
} from './profile.ts'
export { profileOfChargerRoutes, profileRoutes } from './routes.ts'
export { type ProfileBody, ProfileFields } from './schema.ts'
export { profileOfStart } from './service.ts'
