import { HOUR_MS } from '../../../kernel/time.ts'

/**
 * Widgets of a subregion; the next one is refused with 422 WIDGET_LIMIT_REACHED. A usual dashboard has
 * thirty.
 */
export const WIDGETS_PER_SUBREGION_MAX = 100
/** Longest title of a widget, characters; a longer one is refused with 422. */
export const WIDGET_TITLE_MAX_LENGTH = 200
/** Devices that one widget adds up or lists. */
export const WIDGET_DEVICES_MAX = 50
/** Devices of a subregion among which a widget that names none finds its own. */
export const WIDGET_SUBREGION_DEVICES_MAX = 500
/** Bytes of a widget's config as JSON; a larger one is refused with 422. */
export const WIDGET_CONFIG_BYTES_MAX = 16 * 1024
/** Points of a chart, about a month by the hour. Beyond it the interval of the period is used. */
export const WIDGET_POINTS_MAX = 750
/**
 * Buckets of energy in memory at once for the widgets of a dashboard, about 150 MB: a year of hours of as
 * many devices as one widget may name. A usual dashboard has a few thousand; one with more is read in
 * portions.
 */
export const WIDGET_BUCKETS_AT_ONCE = WIDGET_DEVICES_MAX * 366 * 24
/** Buckets that one statement reads. */
export const WIDGET_BUCKETS_READ = 100_000
/** Buckets that are added up before the event loop serves other requests. */
export const WIDGET_BUCKETS_IN_TURN = 20_000
/**
 * Age beyond which a measurement is not live, milliseconds, even when the threshold of the device is longer.
 */
export const REALTIME_WINDOW_MAX_MS = HOUR_MS
/** Largest column and row of the dashboard grid. */
export const WIDGET_GRID_MAX = 1_000
