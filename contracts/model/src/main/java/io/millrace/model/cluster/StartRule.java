package io.millrace.model.cluster;

/** Which part of a node a start on command can give to a job. */
public enum StartRule {
    /** Any free part of each node. */
    PARTS_OF_NODES,
    /**
     * Each node as a whole, whatever is in use there, in the order in which the start names the nodes; only the last node gives a part
     * ({@code brun} of OpenLava). So all nodes of a job but the last must be empty.
     */
    FILLS_NODES
}
