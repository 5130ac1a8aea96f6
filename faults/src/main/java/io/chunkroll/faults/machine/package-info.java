/** What a machine can do to a load: {@link FaultProxy} is the network, {@link SmallDisk} a disk that fills up. */
package io.chunkroll.faults.machine;
