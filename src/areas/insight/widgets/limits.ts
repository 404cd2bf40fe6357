import { HOUR_MS } from '../../../kernel/time.ts'

/** Widgets. Of one subregion; a screen shows thirty. */
export const WIDGETS_PER_SUBREGION_MAX = 100
export const WIDGET_TITLE_MAX_LENGTH = 200
/** Devices that one widget adds up or lists. */
export const WIDGET_DEVICES_MAX = 50
/** Devices of a subregion among which a widget that names none finds its own. */
export const WIDGET_PLACE_DEVICES_MAX = 500
/** Free-form JSON of one widget. */
export const WIDGET_CONFIG_BYTES_MAX = 16 * 1024
/** Points of a chart: a month by the hour. */
export const WIDGET_POINTS_MAX = 750
/**
 * Buckets of energy that are held at once for the widgets of a screen: a year of hours of as many devices as one widget
 * may name, about 150 MB. Those of a usual screen are a few thousand; a screen of more is read in portions.
 */
export const WIDGET_BUCKETS_AT_ONCE = WIDGET_DEVICES_MAX * 366 * 24
/** Buckets that one statement reads. */
export const WIDGET_BUCKETS_READ = 100_000
/** Buckets that are added up before others have their turn. */
export const WIDGET_BUCKETS_IN_TURN = 20_000
/** A measurement that is older is not live, whatever the device's own threshold says. */
export const REALTIME_WINDOW_MAX_MS = HOUR_MS
/** The unit of positions: columns and rows of a grid. */
export const WIDGET_GRID_MAX = 1_000
