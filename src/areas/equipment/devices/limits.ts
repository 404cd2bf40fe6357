/** Reading out. Devices of one tree, children included, and how deep it is followed. */
export const DEVICE_TREE_MAX = 2_000
export const DEVICE_TREE_DEPTH_MAX = 20
/** Children whose energy is read beside that of their parent. */
export const ENERGY_CHILDREN_MAX = 100
