export const ROLES_PER_USER_MAX = 50
