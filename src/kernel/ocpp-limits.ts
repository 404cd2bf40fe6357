import { DAY_MS } from './time.ts'

/** Of one message of a station. A list of some hundred configuration keys or certificates stays well below it. */
export const OCPP_MESSAGE_BYTES_MAX = 256 * 1024
/** How long a call of ours waits for its answer. */
export const OCPP_CALL_MAX_MS = 30_000
/** Between two pings; a station that says nothing for OCPP_PINGS_MISSED_MAX of them is cut. */
export const OCPP_PING_EVERY_MS = 60_000
export const OCPP_PINGS_MISSED_MAX = 3
/** Length of a cpid: the identity of a station in OCPP 2.0.1; 1.6 leaves it open. */
export const OCPP_CPID_LENGTH_MAX = 255
/** Of the numbers of a 2.0.1 session's events: runs that are kept apart, and missing ones that are listed. */
export const SEQ_NO_RUNS_MAX = 200
export const SEQ_NOS_MISSING_MAX = 100
/** Samples of a 2.0.1 session that wait until one of its events names the EVSE; further ones go to the charger itself. */
export const WAITING_SAMPLES_MAX = 500

/** How long the authority of stations is good for; its certificates end with it at the latest. */
export const AUTHORITY_VALID_MS = 20 * 365 * DAY_MS
export const CERTIFICATE_VALID_MS = 365 * DAY_MS
/** A certificate begins a little before it was made, for stations whose clock is behind. */
export const CERTIFICATE_BACKDATED_MS = DAY_MS
/** As the OCPP security white paper asks (A00.FR.503). */
export const RSA_BITS_MIN = 2_048
/** Of one station: attributes of its variables that are kept, reports of them, and the parts of one report. */
export const CHARGER_VARIABLES_MAX = 10_000
export const CHARGER_REPORTS_MAX = 100
export const CHARGER_REPORT_PARTS_MAX = 10_000
